package io.hawser.agenta.namespace;

import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;
import java.util.OptionalLong;

/**
 * The expected state of one path after all transfers accepted here are delivered: held, unchanged at the far end, or gone.
 */
public sealed interface PathState {
    /**
     * A file or directory that was accepted here and is not delivered yet.
     *
     * @param transfer it, perhaps under an older name; a patch has only a part of its file's bytes
     * @param modified the time that it was given since
     */
    record Held(TransferSnapshot transfer, OptionalLong modified) implements PathState {
        public boolean isDirectory() {
            return transfer.manifest().kind() == TransferKind.MAKE_DIRECTORY;
        }
    }

    /** Nothing: it was renamed or deleted here, and the far end may not know that yet. */
    record Gone() implements PathState {}

    /**
     * What the far end has.
     *
     * @param names its name there until the renames that were accepted here are done, and its name after each of them; usually one
     * @param modified the time that it was given here, and the far end may not know yet
     * @param renamedSomewhere whether one of several far ends has made such a rename
     * @param nameReused whether something else has the first name after the renames
     */
    record AtFarEnd(List<String> names, OptionalLong modified, boolean renamedSomewhere, boolean nameReused)
            implements PathState {
        public AtFarEnd {
            names = List.copyOf(names);
        }

        /** Its name there until the renames are done. */
        public String name() {
            return names.get(0);
        }

        /** Whether renames of it are on their way. */
        public boolean isBeingRenamed() {
            return names.size() > 1;
        }
    }
}
