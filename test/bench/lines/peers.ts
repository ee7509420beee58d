import type { Line } from '../line.ts'
import { lookUpByPeer, lookUpByVigia } from '../lookup-runs.ts'

const open = 50

const peer = (name: 'graphile' | 'boss' | 'dbos', what: string): Line => ({
  name: `peer-${name}`,
  what: `look-ups at zero latency ÷ ${what}, 50 open`,
  unit: 'look-ups/s',
  goal: { atLeast: 2 },

  async round(bench) {
    const documents = bench.sizes.peerLookups
    const limit = await lookUpByPeer(bench, `peer-${name}`, documents, open)
    const vigia = await lookUpByVigia(bench, { documents, open, workers: 1 })
    return { limit, vigia }
  },
})

export const peerGraphile = peer('graphile', 'a job per row with graphile-worker')
export const peerBoss = peer('boss', 'a job per row with pg-boss')
export const peerDbos = peer('dbos', 'a workflow per row with DBOS')
