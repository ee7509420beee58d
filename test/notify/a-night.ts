import type { NotifiedChange } from '../../src/notify/create-notification.ts'

const change = (of: Partial<NotifiedChange>): NotifiedChange => ({
  document: '***.456.789-**',
  name: null,
  field: 'processes',
  verdict: 'worse',
  before: '1',
  after: '2',
  rules: [],
  ...of,
})

/** The results of a bad night, with texts of the greatest length. */
export const aNight = {
  sweep: { id: 1, name: 'radars', slot: '2026-11-16T02:00', startedAt: '2026-11-16T05:00:00Z' },
  due: 1_247,
  verified: 1_240,
  changed: 31,
  reasons: [
    { said: ['unverified', 'processes', 'timed_out'], reason: '', documents: 5 },
    { said: ['unverified', 'analysis', 'plan_blocked'], reason: '', documents: 2 },
  ],
  told: { critical: 1, warning: 1 },
  worst: [
    change({
      name: 'Comercial de Alimentos São Bartolomeu e Filhos Ltda',
      field: 'RISK_WORKER_value',
      before: '12500.00',
      after: '1234567.89',
      rules: [
        { rule: 'more than R$ 50,000 in one night', severity: 'critical', notified: true },
        { rule: 'anything that is worse than it was the night before', severity: 'info', notified: true },
      ],
    }),
    change({ field: 'EXECUTION_WITH_RISK_count', verdict: 'new', before: '0' }),
    change({ name: 'Ana', verdict: 'better', before: '12', after: '3' }),
    change({ name: 'Bia', field: 'radar', verdict: 'removed', before: null, after: null }),
  ],
}
