-- Records who reads which file now, so that a file that ends the processes that read it is not read again and again.

create table file_read (
  id         bigint generated always as identity primary key,
  sha256     text not null,
  from_line  integer not null,
  host       text not null,
  process    text not null,
  began_at   timestamptz not null default now()
);
comment on table file_read is 'A claim on the bytes of a file while a process reads them. One whose process is gone is a death.';
comment on column file_read.from_line is 'Where it began to read: 0 for the layout and the first rows, else how far an import had come. Whoever got further did not die here.';
comment on column file_read.process is 'Number, start time and boot of the process, as identifyProcess gives them.';

-- Before a file is read, the earlier claims on the same bytes are counted.
create index file_read_bytes on file_read (sha256, from_line);
