import type { HighWater } from '../../../src/home/high-water.ts'

/** What each home remembers of its database, by its path. */
const homes = new Map<string, HighWater>()

export const forgetHomes = (): void => homes.clear()

export const readHighWater = async (home: string): Promise<HighWater | null> => homes.get(home) ?? null

export const writeHighWater = async (home: string, water: HighWater): Promise<void> => {
  homes.set(home, water)
}
