package io.hawser.agentb.files;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.ServedEntry;
import io.hawser.store.storage.ServedTree;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * Lists and reads the files of a directory. Hides landing directories.
 *
 * <p>Thread: any; all calls block.
 */
public final class DirectoryFiles implements ServedFiles {
    /** Names that one page reads; bounds its heap. */
    private static final int NAMES_PER_PAGE = 8192;

    private final ServedTree tree;
    private final FileTimeHistory timeChanges;
    private final int namesPerPage;

    /**
     * Serves what is below {@code root}.
     *
     * @param timeChanges times that agent-b set in it, which do not count as a new version
     */
    public DirectoryFiles(Path root, FileTimeHistory timeChanges) {
        this(root, timeChanges, NAMES_PER_PAGE);
    }

    DirectoryFiles(Path root, FileTimeHistory timeChanges, int namesPerPage) {
        this.timeChanges = timeChanges;
        this.tree = new ServedTree(root, LandingOptions.DIRECTORY_PREFIX);
        this.namesPerPage = namesPerPage;
    }

    @Override
    public Outcome<RemoteFile> stat(String name) {
        return PosixRefusals.attempt(name, () -> Outcome.of(stat(segments(name))));
    }

    @Override
    public Outcome<String> list(String name, String after, ByteBuffer into) {
        return PosixRefusals.attempt(name, () -> {
            String[] last = {after};
            boolean all = tree.list(segments(name), after, namesPerPage, (entry, found) -> {
                try {
                    if (found != null) {
                        RemoteFileCodec.put(into, file(entry, found));
                    }
                } catch (BufferOverflowException e) {
                    return false;
                }
                last[0] = entry;
                return true;
            });
            return Outcome.of(all ? "" : last[0]);
        });
    }

    @Override
    public Outcome<RemoteFile> read(Question.Read question, ByteBuffer into) {
        return PosixRefusals.attempt(question.name(), () -> {
            List<String> path = segments(question.name());
            Outcome<RemoteFile> before = file(path, question.fingerprint());
            if (before.isRefused()) {
                return before;
            }
            try (SeekableByteChannel channel = tree.open(path)) {
                channel.position(question.offset());
                while (into.hasRemaining() && channel.read(into) >= 0) {
                    // A read may return fewer bytes than requested.
                }
            }
            // The bytes are of this version only if the file still has it.
            return file(path, before.get().fingerprint());
        });
    }

    @Override
    public Outcome<SlicedChecksum> checksum(Question.Checksum question) {
        return PosixRefusals.attempt(question.name(), () -> {
            List<String> path = segments(question.name());
            Outcome<RemoteFile> before = file(path, "");
            if (before.isRefused()) {
                return new Outcome<>(null, before.refusal());
            }
            return Outcome.of(new FileChecksum(
                    question,
                    tree.open(path),
                    before.get().sizeBytes(),
                    () -> PosixRefusals.attempt(
                            question.name(), () -> file(path, before.get().fingerprint()))));
        });
    }

    private Outcome<RemoteFile> file(List<String> path, String fingerprint) throws IOException {
        RemoteFile file = stat(path);
        if (file.isDirectory()) {
            return Outcome.refused(ErrorCode.IS_DIRECTORY, "Is a directory");
        }
        return fingerprint.isEmpty() || isSameContent(fingerprint, file.fingerprint())
                ? Outcome.of(file)
                : Outcome.refused(ErrorCode.SOURCE_CHANGED, "The file changed while it was read");
    }

    private boolean isSameContent(String old, String now) {
        return timeChanges.sameContent(RemoteFile.withoutLinks(old), RemoteFile.withoutLinks(now));
    }

    private RemoteFile stat(List<String> path) throws IOException {
        return file(path.isEmpty() ? "" : path.get(path.size() - 1), tree.entry(path));
    }

    private static RemoteFile file(String name, ServedEntry entry) {
        FileFacts facts = entry.facts();
        return new RemoteFile(
                name,
                facts.isDirectory() ? RemoteFile.Kind.DIRECTORY : RemoteFile.Kind.FILE,
                facts.sizeBytes(),
                Math.floorDiv(facts.modifiedNanos(), 1_000_000L),
                entry.mode(),
                prefix(entry.links()) + facts.fingerprint());
    }

    private static String prefix(ServedEntry.Links links) {
        return switch (links) {
            case NONE -> "";
            case ITSELF -> RemoteFile.LINK_PREFIX;
            case ABOVE -> RemoteFile.BELOW_LINK_PREFIX;
        };
    }

    private static List<String> segments(String name) {
        return name.isEmpty() ? List.of() : List.of(name.split("/", -1));
    }
}
