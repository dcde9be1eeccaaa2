-- Whether the demonstration firm was loaded to its end: a first start that was cut off loads it again.
alter table installation add column demonstration_complete boolean not null default false;
update installation set demonstration_complete = true where holds = 'demonstration';
