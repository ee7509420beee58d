import type { ApiRoute } from './api-route.ts'
import { batchRoutes } from './batch-routes.ts'
import { fleetRoutes } from './fleet-routes.ts'
import { portfolioRoutes } from './portfolio-routes.ts'
import { radarRoutes } from './radar-routes.ts'
import { rowRoutes } from './row-routes.ts'
import { ruleRoutes } from './rule-routes.ts'

/** Every route of the API. */
export const apiRoutes: readonly ApiRoute[] = [
  ...batchRoutes,
  ...rowRoutes,
  ...radarRoutes,
  ...ruleRoutes,
  ...portfolioRoutes,
  ...fleetRoutes,
]
