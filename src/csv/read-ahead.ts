/** Asks for the next one while the last is being used. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const ask = () => {
    const answer = iterator.next()
    answer.catch(() => {})
    return answer
  }
  let coming = ask()
  try {
    for (let { done, value } = await coming; !done; { done, value } = await coming) {
      coming = ask()
      yield value
    }
  } finally {
    await coming.catch(() => {})
    await iterator.return?.()
  }
}
