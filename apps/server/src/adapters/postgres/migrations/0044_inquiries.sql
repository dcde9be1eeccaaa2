-- An inquiry, in which the card's bank asks before it disputes anything, is not shown as a dispute. Payments with an open
-- inquiry are corrected by the next check of open disputes.
alter table payments
  drop constraint payments_dispute_status_check,
  add constraint payments_dispute_status_check check (dispute_status in ('inquiry', 'open', 'won', 'lost'));
alter table receipt_files
  drop constraint receipt_files_dispute_check,
  add constraint receipt_files_dispute_check check (dispute in ('none', 'inquiry', 'open', 'lost'));
