/** What one check found; `cure` is what a person can do about it. */
export type Finding = { check: string; ok: boolean; says: string; cure?: string }

export const fine = (check: string, says: string): Finding => ({ check, ok: true, says })

export const wrong = (check: string, says: string, cure: string): Finding => ({ check, ok: false, says, cure })

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
