package io.hawser.store.log;

/**
 * A place in the log that was synced once and cannot be read now. The records after it are still read; what was lost has to
 * be fetched again from where a good copy is.
 *
 * @param position where it begins
 * @param lengthBytes how far it reaches, as far as it is known
 * @param firstSequence the first record number that is missing
 * @param lastSequence the last record number that is missing
 */
public record LogDamage(LogPosition position, long lengthBytes, long firstSequence, long lastSequence) {}
