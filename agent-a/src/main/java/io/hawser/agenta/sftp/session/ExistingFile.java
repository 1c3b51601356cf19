package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.AdvertisedSizes;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is at a path that a client writes to without having cut it first: asked when it is opened, and needed when it is closed.
 *
 * <p>Thread: the loop.
 */
final class ExistingFile {
    private final List<Consumer<ExistingFile>> waiting = new ArrayList<>();
    private boolean known;
    private boolean there;
    private boolean incomplete;
    private long sizeBytes;
    private @Nullable RequestFailure failure;

    private ExistingFile() {}

    /**
     * Asks. An account that may not know what exists is told that nothing is there. An upload of the account that broke off is there as far as
     * it came.
     */
    static ExistingFile at(ClientContext client, FtpPath path) {
        ExistingFile file = new ExistingFile();
        OptionalLong incomplete = client.names()
                .place(path)
                .flatMap(place -> client.uploads().interrupted(client.account().name(), place))
                .map(state -> AdvertisedSizes.of(client.names().spool(), state))
                .orElse(OptionalLong.empty());
        if (incomplete.isPresent() && client.account().may(Permission.LIST)) {
            file.there = true;
            file.incomplete = true;
            file.sizeBytes = incomplete.getAsLong();
            file.answered();
            return file;
        }
        if (!client.account().seesNames()) {
            file.answered();
            return file;
        }
        client.names()
                .paths()
                .find(
                        path,
                        client.account().name(),
                        found -> {
                            file.there = true;
                            file.sizeBytes = found.facts().sizeBytes();
                            file.answered();
                        },
                        (why, told) -> {
                            // Nothing is there, or nothing but uploads that are not complete, such as this one.
                            boolean isFree = why == ErrorCode.NOT_FOUND
                                    || (why == ErrorCode.STORAGE_FAILED && told.reason() == RequestFailure.Reason.BUSY);
                            file.failure = isFree ? null : told;
                            file.answered();
                        });
        return file;
    }

    private void answered() {
        known = true;
        List<Consumer<ExistingFile>> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(each -> each.accept(this));
    }

    /** Calls {@code heard} when it is known, or known not to be. */
    void whenKnown(Consumer<ExistingFile> heard) {
        if (known) {
            heard.accept(this);
        } else {
            waiting.add(heard);
        }
    }

    /** Whether it is an upload that broke off, and no file. */
    boolean isIncomplete() {
        return incomplete;
    }

    boolean isThere() {
        return there;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Why it is not known what is there. */
    Optional<RequestFailure> failure() {
        return Optional.ofNullable(failure);
    }
}
