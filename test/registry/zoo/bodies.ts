import { absent, anyShape, type Beast, emptyList, named, notAList, page, raw, reply } from './beast.ts'

/** Bodies that no operation expects. */
export const bodies: Beast[] = [
  { name: 'HTML under 200', bytes: reply('200 OK', page), outcome: 'Unanswered' },
  {
    name: 'HTML under 404',
    bytes: reply('404 Not Found', page),
    outcome: 'Unanswered',
    except: { 'cnh.read': 'answer' },
  },
  { name: 'HTML under 403', bytes: reply('403 Forbidden', page), outcome: 'Unanswered' },
  { name: 'HTML under 502', bytes: reply('502 Bad Gateway', page), outcome: 'Unanswered' },
  { name: 'plain text', bytes: reply('200 OK', 'OK'), outcome: 'Unanswered' },
  { name: 'an empty body under 200', bytes: reply('200 OK', ''), outcome: 'Unanswered' },
  { name: 'an empty body under 500', bytes: reply('500 Oops', ''), outcome: 'Unanswered' },
  { name: 'an empty body under 404', bytes: reply('404 Not Found', ''), outcome: 'Unanswered', except: absent },
  { name: '204', bytes: raw('204 No Content', [], ''), outcome: 'Unanswered' },
  { name: 'truncated JSON', bytes: reply('200 OK', '{"success":true,"result":{"userPlanCons'), outcome: 'Unanswered' },
  { name: 'NaN', bytes: reply('200 OK', '{"success":true,"total":NaN}'), outcome: 'Unanswered' },
  { name: 'two documents', bytes: reply('200 OK', '{}{}'), outcome: 'Unanswered' },
  { name: 'null', bytes: reply('200 OK', 'null'), outcome: 'Unanswered', except: { ...notAList, ...emptyList } },
  { name: 'true', bytes: reply('200 OK', 'true'), outcome: 'Unanswered' },
  { name: 'a number', bytes: reply('200 OK', '42'), outcome: 'Unanswered' },
  { name: 'a text', bytes: reply('200 OK', '"DONE"'), outcome: 'Unanswered' },
  { name: 'an empty array', bytes: reply('200 OK', '[]'), outcome: 'Unanswered', except: anyShape },
  { name: 'an empty object', bytes: reply('200 OK', '{}'), outcome: 'Unanswered', except: anyShape },
  {
    name: 'an object after a byte order mark',
    bytes: reply('200 OK', '\ufeff{}'),
    outcome: 'Unanswered',
    except: anyShape,
  },
  { name: 'UTF-16', bytes: reply('200 OK', Buffer.from('\ufeff{}', 'utf16le')), outcome: 'Unanswered' },
  { name: 'invalid UTF-8', bytes: reply('200 OK', Buffer.from([0xc3, 0x28, 0xff, 0xfe])), outcome: 'Unanswered' },
  {
    name: 'nulls everywhere',
    ...named(
      '200 OK',
      { success: null, result: null, register: null, requestId: null, total: null, token: null, code: null },
      'Unanswered',
      anyShape,
    ),
  },
  {
    name: 'wrong types everywhere',
    ...named(
      '200 OK',
      { success: 1, result: 'x', register: 7, requestId: {}, total: {}, token: 9, code: {} },
      'Unanswered',
      anyShape,
    ),
  },
  {
    name: 'arrays for objects',
    ...named(
      '200 OK',
      { success: true, result: [[], null, 3], register: [], requestId: [], total: [], token: [], code: [] },
      'Unanswered',
      {
        ...anyShape,
        'activities.list': 'answer',
        'processes.inactivate': 'answer',
      },
    ),
  },
  {
    name: 'a prototype of its own',
    bytes: reply('200 OK', '{"__proto__":{"requestId":"1","token":"t","code":"1","total":1,"success":true}}'),
    outcome: 'Unanswered',
    except: anyShape,
  },
  {
    name: 'an array 100,000 deep',
    bytes: reply('200 OK', `${'['.repeat(1e5)}${']'.repeat(1e5)}`),
    outcome: 'Unanswered',
    except: notAList,
  },
  {
    name: 'an object 100,000 deep',
    bytes: reply('200 OK', `${'{"data":'.repeat(1e5)}1${'}'.repeat(1e5)}`),
    outcome: 'Unanswered',
    except: notAList,
  },
]
