import { patchDriver } from './patch-driver.ts'

const confirmPatched = patchDriver()
const { default: driver } = await import('postgres')
confirmPatched(driver)

/** postgres.js with its patches; it must not be imported anywhere else. */
export { driver }
