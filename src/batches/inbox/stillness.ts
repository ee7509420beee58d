import type { DroppedFile } from './find-files.ts'

/** Tells files that have come to rest from those that are still being written, by what they looked like before. */
export class Stillness {
  readonly #settleMs: number
  #seen = new Map<string, { look: string; since: number }>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  /** A file's own date proves nothing (a copy may keep the original's), so only what was watched counts. */
  sort(files: DroppedFile[], now: Date): { still: DroppedFile[]; restless: DroppedFile[] } {
    const at = now.getTime()
    const before = this.#seen
    this.#seen = new Map(
      files.map((file) => {
        const look = `${file.ino} ${file.size} ${file.mtimeMs}`
        const known = before.get(file.path)
        return [file.path, known?.look === look ? known : { look, since: at }]
      }),
    )
    const isStill = ({ path }: DroppedFile) => at - this.#seen.get(path)!.since >= this.#settleMs
    return { still: files.filter(isStill), restless: files.filter((file) => !isStill(file)) }
  }
}
