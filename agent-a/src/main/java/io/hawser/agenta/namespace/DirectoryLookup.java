package io.hawser.agenta.namespace;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.Refusal;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The entries of a directory: what the far end lists, and over it what this node has accepted and not yet delivered. A listing
 * that may be incomplete is refused: programs that mirror delete what is not listed. An operator may want it all the same
 * ({@code --partial-listings}); then it has what is known here while the far end is away or silent.
 *
 * <p>Thread: the loop. Answers may come inside the call.
 */
public final class DirectoryLookup {
    final Namespace namespace;
    final PendingNames held;
    final PathLookup paths;
    final FarNamespace far;
    final CreatedDirectories knownDirectories;
    final ListedTopics topics;
    final boolean partialListings;

    DirectoryLookup(
            Namespace namespace,
            PendingNames held,
            PathLookup paths,
            FarNamespace far,
            CreatedDirectories knownDirectories,
            ListedTopics topics,
            boolean partialListings) {
        this.namespace = namespace;
        this.held = held;
        this.paths = paths;
        this.far = far;
        this.knownDirectories = knownDirectories;
        this.topics = topics;
        this.partialListings = partialListings;
    }

    /**
     * A directory's entries.
     *
     * @param lacking why the listing may be incomplete, where an operator allows that; else empty
     */
    public record Listed(Collection<PathFacts> entries, Optional<Refusal> lacking) {
        /** The text after them. */
        public String summary() {
            return lacking.map(why -> {
                        String said = why.detail();
                        return said.substring(0, 1).toUpperCase(Locale.ROOT) + said.substring(1)
                                + ": only what was uploaded here is listed, there may be more.";
                    })
                    .orElse("Listing sent.");
        }
    }

    /**
     * The entries of {@code path} by name, as {@code account} may see them; a file is listed alone where {@code filesToo} says so. One of
     * the two is called.
     */
    public void list(
            FtpPath path, String account, boolean filesToo, Consumer<Listed> listed, Consumer<RequestFailure> refused) {
        new DirectoryQuestion(this, path, account, filesToo, listed, refused).ask();
    }
}
