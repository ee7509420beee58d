import { z } from 'zod'
import {
  activitiesReply,
  cnhBody,
  cnhRecord,
  consultBody,
  consulted,
  errorBody,
  generateBody,
  generated,
  inactivated,
  indicators,
  processCountBody,
  processCountReply,
  radarBody,
  radarLinks,
  refreshBody,
  refreshed,
  statusBody,
  typedErrorBody,
} from './wire.ts'

export type ServedOperation = {
  section: string
  /** Its method and its path. */
  route: `${'GET' | 'POST' | 'PUT'} /${string}`
  summary: string
  body?: z.ZodObject
  reply: z.ZodType
  errors: z.ZodType
}

const plain = errorBody
const withStatus = z.union([errorBody, statusBody])

const table = {
  cnhCreate: {
    section: '4.1',
    route: 'POST /v1/cnh',
    summary: 'Create CNH request',
    body: cnhBody,
    reply: cnhRecord,
    errors: withStatus,
  },
  cnhRead: {
    section: '4.2',
    route: 'GET /v1/cnh/organizations/{organizationId}/request/{requestId}',
    summary: 'CNH by request identifier',
    reply: cnhRecord,
    errors: plain,
  },
  cnhLatest: {
    section: '4.3',
    route: 'GET /v1/cnh/organizations/{organizationId}/document/{document}',
    summary: 'Latest CNH by CPF',
    reply: cnhRecord,
    errors: plain,
  },
  generate: {
    section: '4.4',
    route: 'POST /v2/analytics',
    summary: 'Generate analysis',
    body: generateBody,
    reply: generated,
    errors: withStatus,
  },
  consult: {
    section: '4.5',
    route: 'POST /v2/analytics/{userPlanConsumeAnalyticsId}',
    summary: 'Consult analysis',
    body: consultBody,
    reply: consulted,
    errors: plain,
  },
  activities: {
    section: '4.6',
    route: 'GET /v1/holder/{holderId}/organization/{organizationId}/activities',
    summary: 'List analyses',
    reply: activitiesReply,
    errors: plain,
  },
  processCount: {
    section: '4.7',
    route: 'POST /v1/holder/{holderId}/organization/{organizationId}/partner/process',
    summary: 'Count processes of a document',
    body: processCountBody,
    reply: processCountReply,
    errors: withStatus,
  },
  radarAdd: {
    section: '4.8',
    route: 'POST /v1/organization/{organizationId}/radar',
    summary: 'Add radar',
    body: radarBody,
    reply: radarBody,
    errors: withStatus,
  },
  radarList: {
    section: '4.9',
    route: 'GET /v2/organizations/{organizationId}/radars',
    summary: 'List radars',
    reply: radarLinks,
    errors: plain,
  },
  inactivate: {
    section: '4.10',
    route: 'PUT /v1/organization/{organizationId}/process/{numberProcess}/INACTIVE',
    summary: 'Inactivate process',
    reply: inactivated,
    errors: plain,
  },
  scr: {
    section: '4.11',
    route: 'GET /v1/scr/indicators/{document}',
    summary: 'SCR indicators',
    reply: z.union([statusBody, indicators]),
    errors: z.union([statusBody, typedErrorBody, errorBody]),
  },
  refresh: {
    section: '4.12',
    route: 'POST /v1/refreshtoken',
    summary: 'Refresh token',
    body: refreshBody,
    reply: refreshed,
    errors: plain,
  },
} satisfies Record<string, ServedOperation>

export type OperationName = keyof typeof table

/** All operations, in the interface's order: routes, validation and `/openapi.json` use this table. (Interface 4) */
export const operations: Record<OperationName, ServedOperation> = table

export const operationNames = Object.keys(table) as OperationName[]
