import { mendDriver } from './mend-driver.ts'

const confirmMended = mendDriver()
const { default: driver } = await import('postgres')
confirmMended(driver)

/** postgres.js with its patches; nobody loads it by another way. */
export { driver }
