import { join } from 'node:path'
import type { Home } from '../home/folders.ts'

/** Where the three files of a batch go unless a person says otherwise. */
export const outboxFolder = ({ outbox }: Home, { name, id }: { name: string; id: bigint }): string =>
  join(outbox, `${name}.${id}`)
