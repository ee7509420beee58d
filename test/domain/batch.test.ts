import { expect, test } from 'vitest'
import { type BatchState, type SteeringVerb, shownStates, takesAction } from '../../src/domain/batch.ts'

const verbs: SteeringVerb[] = ['confirm', 'pause', 'resume', 'cancel', 'retry']
const states = shownStates.filter((state): state is BatchState => state !== 'paused')

test('which actions a batch accepts, by its state', () => {
  const taken = (state: BatchState) => verbs.filter((verb) => takesAction(verb, { state, shown: state }))
  expect(Object.fromEntries(states.map((state) => [state, taken(state)]))).toEqual({
    importing: ['pause', 'cancel'],
    unconfirmed: ['confirm', 'pause', 'cancel'],
    running: ['pause', 'cancel', 'retry'],
    done: ['retry'],
    cancelled: ['retry'],
    rejected: [],
  })
})

test('a paused batch accepts the actions of its state, and resume instead of pause', () => {
  const taken = (state: BatchState) => verbs.filter((verb) => takesAction(verb, { state, shown: 'paused' }))
  const unended = ['importing', 'unconfirmed', 'running'] as const
  expect(Object.fromEntries(unended.map((state) => [state, taken(state)]))).toEqual({
    importing: ['resume', 'cancel'],
    unconfirmed: ['confirm', 'resume', 'cancel'],
    running: ['resume', 'cancel', 'retry'],
  })
})
