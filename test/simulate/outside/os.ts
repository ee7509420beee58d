import * as real from 'node:os'
import { currentActor } from '../time/virtual-clock.ts'

/** Each worker runs on a machine of its own: nobody can see there whether another's process is alive. */
export const hostname = (): string => currentActor().name

export const { tmpdir, platform } = real
