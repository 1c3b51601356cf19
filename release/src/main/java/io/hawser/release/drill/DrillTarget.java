package io.hawser.release.drill;

import io.hawser.ops.cli.AdminClient;
import io.hawser.release.process.FtpAccount;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a drill is done to.
 *
 * <p>Thread: one; {@link #admin} and {@link #close} any.
 */
interface DrillTarget extends AutoCloseable {
    /** Makes it usable, or finds out that it is. Throws CommandException if it is not. */
    void start() throws IOException, InterruptedException;

    /** What it is, as a phrase. */
    String description();

    /** Where FTP clients connect. */
    Optional<FtpAccount> ftp();

    /** Where programs connect. */
    Optional<ApiAccess> api();

    /** A new look at the far end. */
    FarEnd farEnd();

    /** A new way to take canaries away there. */
    CanaryRemover removal();

    /** The nodes that faults may be done to. */
    Map<Part, Victim> victims();

    /** The admin pages of a node, if they are known. */
    Optional<AdminClient> admin(Part node);

    /** Whether other people's transfers go through it, too. */
    boolean isShared();

    /** Ends in order what was started, and looks at what it leaves; returns what did not hold, as sentences. */
    default List<String> end() throws IOException {
        return List.of();
    }

    /** Ends at once what was started. */
    @Override
    default void close() {}
}
