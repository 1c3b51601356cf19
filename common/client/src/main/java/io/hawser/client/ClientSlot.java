package io.hawser.client;

import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's slot of the state directory, locked by the journal in it.
 *
 * <p>Thread: {@link #isSettled} the client's loop; the others any, and block.
 *
 * @param directory where it is
 * @param spool its journal
 */
record ClientSlot(StateDirectory state, Path directory, Spool spool) {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSlot.class);

    /** Opens the journal of a slot. Throws DirectoryInUseException if another process has locked it. */
    @FunctionalInterface
    interface Journals {
        Spool open(Path directory) throws IOException;
    }

    /** Binds a locked slot to the client's destination; false if the client may not have it. */
    @FunctionalInterface
    private interface Binding {
        boolean bind(Spool locked) throws StorageException;
    }

    /**
     * Takes the first slot that is free: of these brokers or new, else a settled one of others.
     *
     * @param first slots of these brokers that come before all others
     */
    static ClientSlot open(StateDirectory state, List<String> brokers, List<StateSlot> first, Journals journals)
            throws IOException {
        for (Path candidate : state.candidates(brokers, first)) {
            Spool spool = take(candidate, journals, open -> state.claim(candidate, brokers, hasUnsent(open)));
            if (spool != null) {
                return new ClientSlot(state, candidate, spool);
            }
        }
        for (Path candidate : state.settledOfOthers(brokers)) {
            Spool spool = take(candidate, journals, open -> !hasUnsent(open) && state.rebind(candidate, brokers));
            if (spool != null) {
                return new ClientSlot(state, candidate, spool);
            }
        }
        throw new DirectoryInUseException(state.root() + ": all of its " + StateDirectory.MAX_SLOTS
                + " slots are in use by hawser processes, or hold transfers for other brokers. Try again when a process has"
                + " ended, or choose another state directory");
    }

    /** Null if another process has it, or has bound it elsewhere meanwhile. */
    private static @Nullable Spool take(Path candidate, Journals journals, Binding binding) throws IOException {
        Spool open;
        try {
            open = journals.open(candidate);
        } catch (DirectoryInUseException e) {
            return null;
        }
        boolean bound = false;
        try {
            bound = binding.bind(open);
        } finally {
            if (!bound) {
                open.close();
            }
        }
        return bound ? open : null;
    }

    private static boolean hasUnsent(Spool spool) {
        return !spool.states().stream().allMatch(known -> known.phase().isFinal());
    }

    /** Whether the broker has all that was accepted. */
    boolean isSettled() {
        return spool.states().stream()
                .map(TransferSnapshot::phase)
                .allMatch(phase ->
                        phase == SpoolPhase.BROKERED || phase == SpoolPhase.FINISHED || phase == SpoolPhase.CANCELLED);
    }

    /** Closes the journal. */
    void close(boolean settled) {
        spool.close();
        if (!settled) {
            return;
        }
        try {
            state.settle(directory);
        } catch (StorageException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("directory", directory)
                    .log(
                            "Cannot mark the state directory as settled. A later client may look there for unfinished transfers in vain");
        }
    }
}
