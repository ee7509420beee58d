-- How often in a row a step of a sweep failed: the third failure ends it, so that the next one may begin.

alter table sweep add column failures smallint not null default 0;
