import { absent, anyShape, type Beast, emptyList, named, onceOnly, page, refusedRefresh, reply } from './beast.ts'

/** What the registry answers instead of a reply. (Interface 7) */
export const refusals: Beast[] = [
  {
    name: 'success false',
    ...named('200 OK', { success: false, reason: 'no' }, 'Refused', { ...refusedRefresh, ...emptyList }),
  },
  { name: 'sucess false', ...named('200 OK', { sucess: false, reason: null, result: {} }, 'Refused', refusedRefresh) },
  {
    name: 'success "false" under 400',
    ...named('400 Bad', { success: 'false', reason: 'no' }, 'Refused', refusedRefresh),
  },
  { name: 'success false under 500', ...named('500 Oops', { success: false, reason: 'no' }, 'Unanswered') },
  {
    name: 'success twice, the last one false',
    bytes: reply('200 OK', '{"success":true,"success":false}'),
    outcome: 'Refused',
    except: { ...refusedRefresh, ...emptyList },
  },
  {
    name: 'WrongParameterException under 400',
    ...named('400 Bad', { message: 'm', error: 'WrongParameterException' }, 'Refused', refusedRefresh),
  },
  {
    name: 'WrongParameterException under 200',
    ...named('200 OK', { message: 'm', error: 'WrongParameterException' }, 'Refused', refusedRefresh),
  },
  {
    name: 'InternalServerError under 200',
    ...named('200 OK', { message: 'm', error: 'InternalServerError' }, 'Unanswered'),
  },
  {
    name: 'InternalServerError under 500',
    ...named('500 Oops', { message: 'm', error: 'InternalServerError' }, 'Unanswered'),
  },
  {
    name: 'ErrorForbiddenException under 200',
    ...named('200 OK', { message: 'm', error: 'ErrorForbiddenException' }, 'AccessDenied', refusedRefresh),
  },
  {
    name: 'ErrorForbiddenException under 500',
    ...named('500 Oops', { message: 'm', error: 'ErrorForbiddenException' }, 'AccessDenied', refusedRefresh),
  },
  {
    name: 'PLAN_NOT_ALLOWED under 200',
    ...named('200 OK', { status: 'PLAN_NOT_ALLOWED', message: 'm' }, 'PlanBlocked', refusedRefresh),
  },
  {
    name: 'PLAN_NOT_ALLOWED under 403',
    ...named('403 No', { status: 'PLAN_NOT_ALLOWED', message: 'm' }, 'PlanBlocked', refusedRefresh),
  },
  {
    name: 'INVALID_DOCUMENT under 400',
    ...named('400 Bad', { status: 'INVALID_DOCUMENT', message: 'm' }, 'InvalidDocument', refusedRefresh),
  },
  { name: 'PROCESSING', ...named('200 OK', { status: 'PROCESSING', message: 'm' }, 'Unanswered', anyShape) },
  { name: 'an unknown status', ...named('200 OK', { status: 'SLEEPING', message: 'm' }, 'Unanswered', anyShape) },
  {
    name: 'type and message under 200',
    ...named('200 OK', { type: 'T', message: 'm' }, 'Refused', { ...onceOnly, ...refusedRefresh }),
  },
  { name: 'type and message under 400', ...named('400 Bad', { type: 'T', message: 'm' }, 'Refused', refusedRefresh) },
  { name: 'type and message under 500', ...named('500 Oops', { type: 'T', message: 'm' }, 'Unanswered') },
  {
    name: 'an error with a code, a name and a message',
    ...named('400 Bad', { code: 'E17', name: 'n', message: 'm' }, 'Refused', refusedRefresh),
  },
  {
    name: 'email required',
    ...named(
      '404 Not Found',
      { message: 'email required', error: 'ObjectNotFoundException' },
      'Refused',
      refusedRefresh,
    ),
  },
  {
    name: 'processNumber not exist',
    ...named('404 Not Found', { message: 'processNumber not exist', error: 'ObjectNotFoundException' }, 'NotFound', {
      ...absent,
      ...refusedRefresh,
    }),
  },
  { name: '404 with an object', ...named('404 Not Found', {}, 'Refused', { ...absent, ...refusedRefresh }) },
  { name: '403 with an object', ...named('403 Forbidden', {}, 'AccessDenied', refusedRefresh) },
  { name: '401 with an object', ...named('401 Unauthorized', { message: 'm' }, 'TokenDead') },
  { name: '401 without a body', bytes: reply('401 Unauthorized', ''), outcome: 'TokenDead' },
  { name: '408', ...named('408 Request Timeout', { message: 'm' }, 'Unanswered') },
  { name: '418 with a text', bytes: reply('418 Teapot', '"no"'), outcome: 'Refused', except: refusedRefresh },
  { name: '429 bare', bytes: reply('429 Slow', ''), outcome: 'TooManyRequests' },
  { name: '429 with seconds', bytes: reply('429 Slow', '{}', 'retry-after: 7'), outcome: 'TooManyRequests' },
  {
    name: '429 with a date',
    bytes: reply('429 Slow', page, 'retry-after: Fri, 31 Dec 2100 23:59:59 GMT'),
    outcome: 'TooManyRequests',
  },
  { name: '429 with junk', bytes: reply('429 Slow', '{', 'retry-after: soon'), outcome: 'TooManyRequests' },
  { name: '503 with Retry-After', bytes: reply('503 Down', '{}', 'retry-after: 1'), outcome: 'Unanswered' },
]
