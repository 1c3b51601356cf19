package io.hawser.agenta.gsi;

import io.hawser.core.thread.DaemonThreads;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.KeyPairPool;
import io.hawser.gsi.credential.KeySupply;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.token.GsiAcceptor;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Lets clients in by GSI. What takes long (signatures, validation, keys, files) runs on a few threads of its own; a client that connects often takes
 * no more than these.
 *
 * <p>Thread: any, except where it says otherwise.
 */
public final class GsiGate implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 512;
    /** How many logins in a row wait for no key. */
    private static final int PREPARED_KEYS = 4;
    /** A key takes a processor for about 100 ms; the login's transfer has begun by then, and may be over. */
    private static final Duration BEFORE_NEXT_KEY = Duration.ofSeconds(1);

    private final GsiFiles files;
    private final KeyPairPool keys = new KeyPairPool(KeySupply.fresh(), PREPARED_KEYS, BEFORE_NEXT_KEY);
    private final ThreadPoolExecutor threads;

    public GsiGate(GsiFiles files) {
        this.files = files;
        this.threads = DaemonThreads.pool(
                DaemonThreads.numbered("hawser-gsi-"), THREADS, new ArrayBlockingQueue<>(MAX_WAITING));
    }

    /** Where steps of exchanges run. It refuses tasks when too many wait. */
    public Executor threads() {
        return threads;
    }

    /** The server's end of a login that begins. Thread: one of {@link #threads}. */
    public GsiAcceptor acceptor() throws GsiException {
        try {
            files.trust().refresh();
            return GsiAcceptor.ofLogin(files.host().get(), files.trust(), keys);
        } catch (IOException e) {
            throw new GsiException("this server's own certificate cannot be read", e);
        }
    }

    /**
     * The far ends that get what users delegate.
     *
     * <p>Thread: one of {@link #threads}.
     */
    public Map<String, X509Certificate> recipients() throws GsiException {
        try {
            return files.recipients().isPresent() ? files.recipients().get().get() : Map.of();
        } catch (IOException e) {
            throw new GsiException("this server's list of far ends cannot be read", e);
        }
    }

    public PeerValidator trust() {
        return files.trust();
    }

    /**
     * The account that an identity is mapped to.
     *
     * <p>Thread: one that may touch the disk.
     *
     * @param wanted the account that it asks for; empty for its default
     */
    public Optional<String> account(DistinguishedName who, String wanted) throws IOException {
        return files.map().get().account(who, wanted);
    }

    @Override
    public void close() {
        keys.close();
        threads.shutdownNow();
    }
}
