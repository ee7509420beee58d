import type { Line } from '../line.ts'
import { lookUpByPeer, lookUpByVigia } from '../lookup-runs.ts'

const open = 50

const peer = (name: 'graphile' | 'boss', what: string): Line => ({
  name: `peer-${name}`,
  what: `look-ups at zero latency ÷ a job per row with ${what}, 50 open`,
  unit: 'look-ups/s',
  goal: { atLeast: 2 },

  async round(bench) {
    const documents = bench.sizes.peerLookups
    const limit = await lookUpByPeer(bench, `peer-${name}`, documents, open)
    const vigia = await lookUpByVigia(bench, { documents, open, workers: 1 })
    return { limit, vigia }
  },
})

export const peerGraphile = peer('graphile', 'graphile-worker')
export const peerBoss = peer('boss', 'pg-boss')
