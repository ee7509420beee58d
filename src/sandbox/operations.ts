import { z } from 'zod'
import * as wire from './wire.ts'

export type ServedOperation = {
  section: string
  /** Its method and its path. */
  route: `${'GET' | 'POST' | 'PUT'} /${string}`
  summary: string
  body?: z.ZodObject
  reply: z.ZodType
  errors: z.ZodType
}

type Shapes = Pick<ServedOperation, 'body' | 'reply'> & { errors?: z.ZodType }

const served = (
  section: string,
  route: ServedOperation['route'],
  summary: string,
  { errors = wire.errorBody, ...shapes }: Shapes,
): ServedOperation => ({ section, route, summary, errors, ...shapes })

const { cnhBody, cnhRecord, errorBody, radarBody, statusBody } = wire
const withStatus = z.union([errorBody, statusBody])
const cnhPath = '/v1/cnh/organizations/{organizationId}'
const holderPath = '/v1/holder/{holderId}/organization/{organizationId}'

const table = {
  cnhCreate: served('4.1', 'POST /v1/cnh', 'Create CNH request', {
    body: cnhBody,
    reply: cnhRecord,
    errors: withStatus,
  }),
  cnhRead: served('4.2', `GET ${cnhPath}/request/{requestId}`, 'CNH by request identifier', { reply: cnhRecord }),
  cnhLatest: served('4.3', `GET ${cnhPath}/document/{document}`, 'Latest CNH by CPF', { reply: cnhRecord }),
  generate: served('4.4', 'POST /v2/analytics', 'Generate analysis', {
    body: wire.generateBody,
    reply: wire.generated,
    errors: withStatus,
  }),
  consult: served('4.5', 'POST /v2/analytics/{userPlanConsumeAnalyticsId}', 'Consult analysis', {
    body: wire.consultBody,
    reply: wire.consulted,
  }),
  activities: served('4.6', `GET ${holderPath}/activities`, 'List analyses', { reply: wire.activitiesReply }),
  processCount: served('4.7', `POST ${holderPath}/partner/process`, 'Count processes of a document', {
    body: wire.processCountBody,
    reply: wire.processCountReply,
    errors: withStatus,
  }),
  radarAdd: served('4.8', 'POST /v1/organization/{organizationId}/radar', 'Add radar', {
    body: radarBody,
    reply: radarBody,
    errors: withStatus,
  }),
  radarList: served('4.9', 'GET /v2/organizations/{organizationId}/radars', 'List radars', { reply: wire.radarLinks }),
  inactivate: served(
    '4.10',
    'PUT /v1/organization/{organizationId}/process/{numberProcess}/INACTIVE',
    'Inactivate process',
    { reply: wire.inactivated },
  ),
  scr: served('4.11', 'GET /v1/scr/indicators/{document}', 'SCR indicators', {
    reply: z.union([statusBody, wire.indicators]),
    errors: z.union([statusBody, wire.typedErrorBody, errorBody]),
  }),
  refresh: served('4.12', 'POST /v1/refreshtoken', 'Refresh token', { body: wire.refreshBody, reply: wire.refreshed }),
}

export type OperationName = keyof typeof table

/** All operations, in the interface's order: routes, validation and `/openapi.json` use this table. (Interface 4) */
export const operations: Record<OperationName, ServedOperation> = table

export const operationNames = Object.keys(table) as OperationName[]
