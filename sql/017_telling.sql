-- Telling people: the rules that a change met, what a person said to it, and every message with whom it goes to.

alter table change add column acknowledged_at timestamptz;
alter table change add column acknowledged_by text;
alter table change add column snoozed_until timestamptz;
alter table change add column note text;
alter table change add constraint change_snoozed_by_someone
  check (snoozed_until is null or acknowledged_at is not null and acknowledged_by is not null);
comment on column change.snoozed_until is 'Until then no rule speaks of this figure of the document again, unless it gets worse than here.';

-- What people were told of a document before, and its own page.
create index change_history on change (organization_id, document, id desc);

-- What was snoozed is little, and every night asks for it.
create index change_snoozed on change (snoozed_until) where snoozed_until is not null;

create table rule_met (
  change_id  bigint not null references change on delete cascade,
  rule       text not null,
  severity   text not null,
  told       boolean not null,
  primary key (change_id, rule),
  constraint rule_met_severity_known check (severity in ('info', 'warning', 'critical'))
);
comment on table rule_met is 'Which rules of the settings a change met, as they stood that night.';
comment on column rule_met.told is 'False: it was met, but people had been told lately and it is no worse than then.';

-- An alert is an event; whom it is told to stands in message. A key makes it one, whoever notices it and however often.
alter table alert add column key text;
alter table alert add column severity text not null default 'info';
alter table alert add constraint alert_severity_known check (severity in ('info', 'warning', 'critical'));
create unique index alert_once on alert (key);

create table message (
  id            uuid primary key default gen_random_uuid(),
  alert_id      uuid not null references alert on delete cascade,
  channel       text not null,
  address       text not null,
  made_at       timestamptz not null,
  claimed_at    timestamptz,
  tries         integer not null default 0,
  sent_at       timestamptz,
  problem       text,
  constraint message_channel_known check (channel in ('webhook', 'email', 'slack', 'teams'))
);
comment on table message is 'One alert for one address, written down before it is sent and sent until it is accepted.';
comment on column message.address is 'Of a mail whom it goes to; else the setting, since the address itself is a secret.';
comment on column message.claimed_at is 'When somebody last began to send it: nobody else does so meanwhile.';

-- Once per event and address.
create unique index message_once on message (alert_id, channel, address);

-- What is still to be sent is little beside what was.
create index message_owed on message (made_at) where sent_at is null;

insert into message (id, alert_id, channel, address, made_at, sent_at, problem)
select id, id, 'webhook', 'alerts.webhook', made_at, delivered_at, problem from alert;

alter table alert drop column delivered_at;
alter table alert drop column problem;
comment on table alert is 'One event that people outside are told of. Documents in it are masked.';
