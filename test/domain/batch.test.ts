import { expect, test } from 'vitest'
import { type SteeringVerb, takesWord, toldStates } from '../../src/domain/batch.ts'

test('which words a batch takes, by what people are told of it', () => {
  const verbs: SteeringVerb[] = ['confirm', 'pause', 'resume', 'cancel', 'retry']
  const taken = Object.fromEntries(toldStates.map((told) => [told, verbs.filter((verb) => takesWord(verb, told))]))
  expect(taken).toEqual({
    importing: ['pause', 'cancel'],
    unconfirmed: ['confirm', 'pause', 'cancel'],
    running: ['pause', 'cancel', 'retry'],
    held: ['pause', 'cancel', 'retry'],
    paused: ['resume', 'cancel'],
    done: ['retry'],
    cancelled: ['retry'],
    rejected: [],
  })
})
