package io.hawser.store.journal;

import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/** One statement about a transfer. A role's records are a sealed type of its own; applying one twice is applying it once. */
public interface JournalRecord {
    /** The transfer; null for a record that is about none. */
    @Nullable
    TransferKey key();
}
