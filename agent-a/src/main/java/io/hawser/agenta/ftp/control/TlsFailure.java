package io.hawser.agenta.ftp.control;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Says what went wrong with TLS, in words that hold nothing of what the peer sent. */
public final class TlsFailure {
    private TlsFailure() {}

    /** The reason, if {@code cause} is a failure of TLS. */
    public static Optional<String> reason(Throwable cause) {
        Throwable inner = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (inner instanceof NotSslRecordException) {
            return Optional.of("what came is not TLS"); // its own message quotes it, and a password might be in it
        }
        return inner instanceof SSLException ? Optional.of("TLS failed: " + inner.getMessage()) : Optional.empty();
    }
}
