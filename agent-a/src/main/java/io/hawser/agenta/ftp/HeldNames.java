package io.hawser.agenta.ftp;

import io.hawser.common.ftp.FtpPath;
import io.hawser.common.model.Attributes;
import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferKind;
import io.hawser.common.spool.Spool;
import io.hawser.common.spool.SpoolPhase;
import io.hawser.common.spool.TransferState;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What this node can say of the namespace by itself: the files and directories that its spool knows, under the names that the
 * operations behind them have given them. A name that is not among them may well exist at the far end.
 *
 * <p>Thread: the loop.
 */
public final class HeldNames {
    /** Each costs a listing one question to the far end. */
    private static final int MAX_RENAMED = 256;

    private final Namespace namespace;
    private final Spool spool;

    HeldNames(Namespace namespace, Spool spool) {
        this.namespace = namespace;
        this.spool = spool;
    }

    /**
     * A file or a directory.
     *
     * @param name its last segment
     * @param directory whether it is a directory
     * @param sizeBytes a file's size, 0 for a directory
     * @param modifiedMillis its time, milliseconds since the epoch
     */
    public record Entry(String name, boolean directory, long sizeBytes, long modifiedMillis) {}

    /** What stands at {@code place}. */
    public Standing standing(Namespace.Place place) {
        return StandingSearch.at(spool, place);
    }

    /** What was accepted here for that path and has not ended: its newest file or directory. */
    public Optional<TransferState> accepted(Namespace.Place place) {
        return standing(place) instanceof Standing.Held held ? Optional.of(held.transfer()) : Optional.empty();
    }

    /** What {@link Standing.Held} is for clients. */
    static Entry describe(FtpPath path, TransferState state, OptionalLong modified) {
        return entry(path.name(), state, modified);
    }

    /**
     * What was renamed into {@code directory} here, and the far end has under an older name until it has done the same: the new last
     * segment, and the place to ask. At most {@value #MAX_RENAMED}.
     */
    Map<String, Namespace.Place> renamedInto(Namespace.Place directory) {
        String prefix = directory.isTopic() ? "" : directory.name() + "/";
        Map<String, Namespace.Place> renamed = new TreeMap<>();
        for (TransferState state : ofTopic(directory.topic())) {
            String target = NameReplay.renamedTo(state.manifest());
            boolean inside = target.startsWith(prefix) && target.indexOf('/', prefix.length()) < 0;
            if (state.manifest().kind() == TransferKind.RENAME
                    && inside
                    && renamed.size() < MAX_RENAMED
                    && !state.phase().isFinal()
                    && standing(new Namespace.Place(directory.topic(), target)) instanceof Standing.AtFarEnd far
                    && !far.name().equals(target)) {
                renamed.put(target.substring(prefix.length()), new Namespace.Place(directory.topic(), far.name()));
            }
        }
        return renamed;
    }

    /** Whether something in {@code directory} may be other than the far edge says. */
    boolean isTouched(Namespace.Place directory) {
        return spool.isTouchedBelow(directory.topic(), directory.name());
    }

    /** What is known of {@code path}: a complete file, or a directory. */
    public Optional<Entry> find(FtpPath path) {
        Optional<Namespace.Place> place = namespace.place(path);
        if (path.isRoot() || (place.isPresent() && place.get().isTopic())) {
            return Optional.of(new Entry(path.name(), true, 0, 0));
        }
        Optional<Entry> itself = findTransferred(path);
        if (itself.isPresent() || place.isEmpty()) {
            return itself;
        }
        return list(path).isEmpty() ? Optional.empty() : Optional.of(new Entry(path.name(), true, 0, 0));
    }

    /** What was transferred under exactly that name: a complete file, or a directory that was made. */
    public Optional<Entry> findTransferred(FtpPath path) {
        return namespace
                .place(path)
                .filter(place -> !place.isTopic())
                .map(this::standing)
                .flatMap(standing -> standing instanceof Standing.Held held
                        ? Optional.of(entry(path.name(), held.transfer(), held.modified()))
                        : Optional.empty());
    }

    /** The upload of {@code account} to {@code path} that broke off, as far as it came; empty if there is none. */
    Optional<Entry> incomplete(FtpPath path, String account) {
        return namespace
                .place(path)
                .flatMap(place -> spool.findIncomplete(account, place.topic(), place.name()))
                .flatMap(state -> incomplete(path.name(), state));
    }

    private Optional<Entry> incomplete(String name, TransferState state) {
        OptionalLong size = spool.resumePositionBytes(state.key());
        return size.isPresent()
                ? Optional.of(new Entry(name, false, size.getAsLong(), modifiedMillis(state)))
                : Optional.empty();
    }

    /** The uploads of {@code account} below the directory {@code path} that broke off; those in directories below it as these. */
    Map<String, Entry> listIncomplete(FtpPath path, String account) {
        Map<String, Entry> entries = new TreeMap<>();
        Optional<Namespace.Place> place = namespace.place(path);
        if (place.isEmpty()) {
            return entries;
        }
        String prefix = place.get().isTopic() ? "" : place.get().name() + "/";
        for (TransferState state : ofTopic(place.get().topic())) {
            String name = state.manifest().name();
            if (state.phase() == SpoolPhase.INCOMPLETE
                    && state.manifest().kind() == TransferKind.FILE
                    && account.equals(state.manifest().attributes().get(Attributes.ACCOUNT))
                    && name.startsWith(prefix)) {
                String below = name.substring(prefix.length());
                int slash = below.indexOf('/');
                if (slash < 0) {
                    incomplete(below, state).ifPresent(entry -> entries.put(below, entry));
                } else {
                    String directory = below.substring(0, slash);
                    entries.putIfAbsent(directory, new Entry(directory, true, 0, modifiedMillis(state)));
                }
            }
        }
        return entries;
    }

    /** The entries of the directory {@code path}, by name, also those that have been delivered. Of each name the newest. */
    public Collection<Entry> list(FtpPath path) {
        return list(path, state -> true);
    }

    /** Those of them that have not ended: the far edge may not have them yet. */
    public Collection<Entry> listAccepted(FtpPath path) {
        return list(path, state -> !state.phase().isFinal());
    }

    private Collection<Entry> list(FtpPath path, Predicate<TransferState> wanted) {
        TreeMap<String, Entry> entries = new TreeMap<>();
        Optional<Namespace.Place> place = namespace.place(path);
        if (place.isPresent()) {
            listPlace(place.get(), wanted, entries);
        } else if (path.isRoot()) {
            for (TransferState state : spool.states()) {
                if (NameReplay.hasEffect(state) && wanted.test(state)) {
                    String topic = state.manifest().topic().name();
                    entries.putIfAbsent(
                            topic, new Entry(topic, true, 0, state.key().id().epochMillis()));
                }
            }
        }
        return entries.values();
    }

    private void listPlace(Namespace.Place place, Predicate<TransferState> wanted, Map<String, Entry> entries) {
        NameReplay replay = new NameReplay(place.name());
        replay.play(ofTopic(place.topic()));
        String prefix = place.isTopic() ? "" : place.name() + "/";
        for (Map.Entry<String, NameReplay.Known> named : replay.below().entrySet()) {
            NameReplay.Known known = named.getValue();
            if (wanted.test(known.state())) {
                add(entries, named.getKey().substring(prefix.length()), known);
            }
        }
    }

    /** The transfers of a topic, by number. */
    private List<TransferState> ofTopic(Topic topic) {
        return spool.states().stream()
                .filter(state -> state.manifest().topic().equals(topic))
                .sorted(Comparator.comparingLong(state -> state.manifest().number()))
                .toList();
    }

    private static void add(Map<String, Entry> entries, String below, NameReplay.Known known) {
        int slash = below.indexOf('/');
        if (slash > 0) {
            String name = below.substring(0, slash);
            entries.putIfAbsent(
                    name, new Entry(name, true, 0, known.state().key().id().epochMillis()));
        } else if (!below.isEmpty()) {
            entries.put(below, entry(below, known.state(), known.modified()));
        }
    }

    private static Entry entry(String name, TransferState state, OptionalLong modified) {
        boolean directory = state.manifest().kind() == TransferKind.MAKE_DIRECTORY;
        return new Entry(
                name, directory, directory ? 0 : NameReplay.resultBytes(state), modified.orElse(modifiedMillis(state)));
    }

    private static long modifiedMillis(TransferState state) {
        return NameReplay.modified(state.manifest()).orElse(state.key().id().epochMillis());
    }
}
