import type { Page } from 'playwright-core'

/** Drops a file on the middle of the page. */
export const drop = (page: Page, name: string, bytes: Buffer) =>
  page.evaluate(
    ({ name: fileName, base64 }) => {
      const file = new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], fileName)
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(file)
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      }
    },
    { name, base64: bytes.toString('base64') },
  )
