package io.hawser.agenta.ftp;

import io.hawser.agenta.ftp.Namespace.Place;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.TransferKind;
import io.hawser.common.remote.RemoteFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The entries of a directory: what the far edge lists, and over it what this node has accepted and not yet delivered. While the
 * far edge is unreachable, what is known here; of a directory of which nothing is known here the answer is then 450.
 *
 * <p>Thread: the loop. Answers may come inside the call.
 */
public final class DirectoryLookup {
    private final Namespace namespace;
    private final HeldNames held;
    private final PathLookup paths;
    private final FarView far;
    private final KnownDirectories knownDirectories;

    DirectoryLookup(
            Namespace namespace, HeldNames held, PathLookup paths, FarView far, KnownDirectories knownDirectories) {
        this.namespace = namespace;
        this.held = held;
        this.paths = paths;
        this.far = far;
        this.knownDirectories = knownDirectories;
    }

    /**
     * A directory's entries.
     *
     * @param whole false while the far end is away: then only what was uploaded here is known
     */
    public record Listed(Collection<PathFacts> entries, boolean whole) {
        /** What a client is told behind them. */
        public String summary() {
            return whole
                    ? "Listing sent."
                    : "The far end is not connected: only what was uploaded here is listed, there may be more.";
        }
    }

    /**
     * The entries of {@code path} by name, as {@code account} is told of them; a file is listed alone where {@code filesToo} says so.
     * One of the two is called.
     */
    public void list(
            FtpPath path, String account, boolean filesToo, Consumer<Listed> listed, Consumer<FtpReply> refused) {
        Optional<HeldNames.Entry> itself = filesToo ? held.incomplete(path, account) : Optional.empty();
        if (itself.isPresent()) {
            listed.accept(new Listed(List.of(PathFacts.of(itself.get())), true));
            return;
        }
        Map<String, HeldNames.Entry> incomplete = held.listIncomplete(path, account);
        if (incomplete.isEmpty()) {
            listAccepted(path, account, filesToo, listed, refused);
            return;
        }
        listAccepted(
                path,
                account,
                filesToo,
                found -> listed.accept(new Listed(over(found.entries(), incomplete), found.whole())),
                refusal -> {
                    boolean away = refusal.code() == ReplyCode.FILE_BUSY;
                    if (away || refusal.equals(PathLookup.missing(path))) {
                        listed.accept(new Listed(over(List.of(), incomplete), !away));
                    } else {
                        refused.accept(refusal);
                    }
                });
    }

    /** What an account's own uploads that broke off make of a listing: SIZE and MLST say the same of them. */
    private static Collection<PathFacts> over(Collection<PathFacts> entries, Map<String, HeldNames.Entry> incomplete) {
        Map<String, PathFacts> byName = new TreeMap<>();
        entries.forEach(entry -> byName.put(entry.name(), entry));
        incomplete.forEach((name, entry) -> {
            if (!entry.directory() || !byName.containsKey(name)) {
                byName.put(name, PathFacts.of(entry));
            }
        });
        return byName.values();
    }

    private void listAccepted(
            FtpPath path, String account, boolean filesToo, Consumer<Listed> listed, Consumer<FtpReply> refused) {
        Optional<Place> place = namespace.place(path);
        if (place.isEmpty()) {
            if (path.isRoot()) {
                listed.accept(new Listed(merged(List.of(), held.list(path)), true));
            } else {
                refused.accept(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, PathLookup.NO_SUCH_FILE));
            }
            return;
        }
        Standing standing = held.standing(place.get());
        if (standing instanceof Standing.Held here
                && here.transfer().manifest().kind() != TransferKind.MAKE_DIRECTORY) {
            file(path, account, filesToo, listed, refused);
        } else if (standing instanceof Standing.Gone) {
            withoutTheFarEdge(
                    path, place.get(), new Refusal(ErrorCode.NOT_FOUND, PathLookup.NO_SUCH_FILE), listed, refused);
        } else {
            String name = standing instanceof Standing.AtFarEnd there
                    ? there.name()
                    : place.get().name();
            askTheFarEdge(path, new Place(place.get().topic(), name), account, filesToo, listed, refused);
        }
    }

    private void askTheFarEdge(
            FtpPath path,
            Place farPlace,
            String account,
            boolean filesToo,
            Consumer<Listed> listed,
            Consumer<FtpReply> refused) {
        boolean settled = !held.isTouched(namespace.place(path).orElseThrow());
        far.list(farPlace, settled, outcome -> {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                withRenamed(
                        path,
                        stillThere(path, outcome.get()),
                        entries -> listed.accept(new Listed(merged(entries, held.listAccepted(path)), true)));
            } else if (refusal.code() == ErrorCode.NOT_DIRECTORY) {
                file(path, account, filesToo, listed, refused);
            } else {
                withoutTheFarEdge(path, farPlace, refusal, listed, refused);
            }
        });
    }

    /** Without what was renamed or deleted here and the far edge does not know of yet; with the times that were set here. */
    private List<RemoteFile> stillThere(FtpPath path, List<RemoteFile> entries) {
        Place directory = namespace.place(path).orElseThrow();
        if (!held.isTouched(directory)) {
            return entries;
        }
        String prefix = directory.isTopic() ? "" : directory.name() + "/";
        List<RemoteFile> there = new ArrayList<>();
        for (RemoteFile entry : entries) {
            Standing standing = held.standing(new Place(directory.topic(), prefix + entry.name()));
            if (standing instanceof Standing.AtFarEnd far && far.modified().isPresent()) {
                there.add(entry.modified(far.modified().getAsLong()));
            } else if (!(standing instanceof Standing.Gone)) {
                there.add(entry);
            }
        }
        return there;
    }

    /** With what was renamed into it here and the far edge shows under its old name. */
    private void withRenamed(FtpPath path, List<RemoteFile> entries, Consumer<List<RemoteFile>> done) {
        Place directory = namespace.place(path).orElseThrow();
        Map<String, Place> renamed = held.isTouched(directory) ? held.renamedInto(directory) : Map.of();
        if (renamed.isEmpty()) {
            done.accept(entries);
            return;
        }
        Map<String, RemoteFile> byName = new TreeMap<>();
        entries.forEach(entry -> byName.put(entry.name(), entry));
        int[] missing = {renamed.size()};
        String prefix = directory.isTopic() ? "" : directory.name() + "/";
        renamed.forEach((name, old) -> statEither(old, new Place(directory.topic(), prefix + name), outcome -> {
            if (!outcome.isRefused()) {
                byName.put(name, outcome.get().named(name));
            }
            if (--missing[0] == 0) {
                done.accept(List.copyOf(byName.values()));
            }
        }));
    }

    /** What stands at {@code old}, or, if it has been renamed just now, at {@code renamed}. */
    private void statEither(Place old, Place renamed, Outcome.Callback<RemoteFile> done) {
        far.stat(old, false, outcome -> {
            if (outcome.refusal() != null && outcome.refusal().code() == ErrorCode.NOT_FOUND) {
                far.stat(renamed, false, done);
            } else {
                done.accept(outcome);
            }
        });
    }

    private void file(
            FtpPath path, String account, boolean filesToo, Consumer<Listed> listed, Consumer<FtpReply> refused) {
        if (!filesToo) {
            refused.accept(FtpReply.about(ReplyCode.ARGUMENT_ERROR, path, "Not a directory"));
            return;
        }
        paths.findFacts(path, account, new PathLookup.Listener() {
            @Override
            public void found(PathLookup.Found found) {
                listed.accept(new Listed(List.of(found.facts()), true));
            }

            @Override
            public void missing(ErrorCode why, FtpReply reply) {
                refused.accept(reply);
            }
        });
    }

    private void withoutTheFarEdge(
            FtpPath path, Place place, Refusal refusal, Consumer<Listed> listed, Consumer<FtpReply> refused) {
        boolean missing = refusal.code() == ErrorCode.NOT_FOUND;
        boolean away = refusal.code() == ErrorCode.UNREACHABLE;
        Collection<HeldNames.Entry> here = missing ? held.listAccepted(path) : held.list(path);
        boolean known = !here.isEmpty()
                || (away && knownDirectories.contains(path))
                || (missing && place.isTopic())
                || held.accepted(place).isPresent();
        if ((missing || away) && known) {
            listed.accept(new Listed(merged(List.of(), here), !away));
        } else {
            refused.accept(PathLookup.reply(path, refusal));
        }
    }

    private static Collection<PathFacts> merged(List<RemoteFile> remote, Collection<HeldNames.Entry> here) {
        if (here.isEmpty()) {
            List<PathFacts> all = new ArrayList<>(remote.size());
            remote.forEach(file -> all.add(PathFacts.of(file)));
            return all;
        }
        Map<String, PathFacts> byName = new TreeMap<>();
        remote.forEach(file -> byName.put(file.name(), PathFacts.of(file)));
        for (HeldNames.Entry entry : here) {
            PathFacts there = byName.get(entry.name());
            if (there == null || !entry.directory() || !there.directory()) {
                byName.put(entry.name(), PathFacts.of(entry));
            }
        }
        return byName.values();
    }
}
