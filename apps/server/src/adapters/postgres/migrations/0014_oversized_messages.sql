-- Named after what it stores: messages between servers that are too long for NOTIFY.
alter table server_parcels rename to oversized_messages;
alter sequence server_parcels_id_seq rename to oversized_messages_id_seq;
alter table oversized_messages rename constraint server_parcels_pkey to oversized_messages_pkey;
