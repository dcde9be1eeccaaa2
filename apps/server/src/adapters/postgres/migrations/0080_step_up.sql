-- When and how the client of a session last confirmed their identity in it. Unlike `confirmed_at`, the sign-in does not
-- count.
alter table sessions
  add column stepped_up_at timestamptz(3),
  add column stepped_up_with text,
  add constraint sessions_step_up check ((stepped_up_at is null) = (stepped_up_with is null));

-- Whether clients confirm their identity when they sign the document.
alter table documents add column confirm_identity boolean not null default false;

-- How the signer had signed in, and how and when they confirmed their identity; null if they were not asked to. Signatures
-- from before this migration have none of them, and another version of the seal.
alter table document_signatures
  add column signed_in_with text,
  add column confirmed_with text,
  add column confirmed_at timestamptz(3),
  add constraint document_signatures_confirmed check ((confirmed_at is null) = (confirmed_with is null));
