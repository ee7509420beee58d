import type { Network } from '../outside/network.ts'
import { paidPaths } from '../registry/model-registry.ts'
import type { Actor } from '../time/schedule.ts'
import { currentActor } from '../time/virtual-clock.ts'
import type { History } from './history.ts'

/** The way of requests to the registry and back; nobody's end ends a request that has left. */
export const createNetwork = ({ plan, schedule, dice, registry, witness, world }: History): Network => ({
  send(question, bearer, timeoutMs, receive) {
    const worker = currentActor()
    const isPaid = paidPaths[question.path] !== undefined
    const request = witness.sent(worker, question, isPaid)
    const way = isPaid ? registry.wayOf(question) : 'usual'
    const leg = dice.between(2, 25)
    const arrival = way === 'late' ? timeoutMs - 2 : leg
    const sentAt = schedule.now
    if (way === 'closed_before') {
      schedule.at(sentAt + leg, world, () => reply(worker, () => receive({ is: 'closed' })))
      return request
    }
    if (way === 'hang_before') {
      giveUp()
      return request
    }
    schedule.at(sentAt + arrival, world, () => {
      const reception = registry.receive(question, bearer)
      witness.received(question, reception)
      const repliesAt = schedule.now + plan.registry.slowMs + dice.between(2, 40)
      if (reception.is === 'hanging' || repliesAt >= sentAt + timeoutMs) giveUp()
      if (reception.is !== 'hanging') schedule.at(repliesAt, world, () => reply(worker, () => receive(reception)))
    })
    return request

    function giveUp(): void {
      schedule.at(sentAt + timeoutMs, world, () => request.end())
    }

    function reply(to: Actor, run: () => void): void {
      request.end()
      if (to.pausedUntil > schedule.now) schedule.at(schedule.now, to, run)
      else if (!to.isDead) schedule.as(to, run)
    }
  },
})
