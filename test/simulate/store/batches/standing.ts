/** Nobody of a history waits for a batch. */
export const stillMoves = async (): Promise<never> => {
  throw new Error('Waiting for a batch is not part of a history')
}
