package io.hawser.ptcp;

import io.hawser.ptcp.netty.TlsRequiredCheck;
import io.hawser.ptcp.netty.TlsRequiredException;
import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.MalformedFrameException;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslClosedEngineException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains failures to a user: what happened, and what to do. */
final class FailureTranslator {
    /** First byte of a TLS record that carries an alert (RFC 8446, section 5.1). */
    private static final int TLS_ALERT_RECORD = 0x15;

    private static final String ALERT = "Received fatal alert: ";
    private static final String NATIVE_ERROR = "error:";
    private static final String NATIVE_ALERT = "_ALERT_";

    private FailureTranslator() {}

    /** What kind of failure it is. */
    static PtcpErrorCode codeOf(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof PtcpException known) {
            return known.code();
        } else if (cause instanceof MalformedFrameException malformed) {
            return firstByte(malformed) == TlsRequiredCheck.HANDSHAKE_RECORD
                    ? PtcpErrorCode.TLS
                    : PtcpErrorCode.PROTOCOL;
        } else if (cause instanceof SSLException || cause instanceof TlsRequiredException) {
            return PtcpErrorCode.TLS;
        } else if (cause instanceof IOException) {
            return PtcpErrorCode.CONNECTION_LOST;
        }
        return PtcpErrorCode.INTERNAL;
    }

    /** Why a dialler could not make a connection to {@code address}; its cause is what the system said. */
    static PtcpException ofDialler(String address, Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof PtcpException known) {
            return known;
        }
        PtcpException named = named(address, cause);
        named.initCause(cause);
        return named;
    }

    private static PtcpException named(String address, Throwable cause) {
        if (cause instanceof ConnectTimeoutException || cause instanceof SslHandshakeTimeoutException) {
            return timeout(address);
        } else if (cause instanceof UnknownHostException) {
            return lost("the host name of " + address + " is not known: check its spelling");
        } else if (cause instanceof ConnectException && text(cause).contains("refused")) {
            return lost("connection refused by " + address + ": is a broker listening there?");
        } else if (cause instanceof MalformedFrameException malformed) {
            return wrongProtocol(address, malformed);
        } else if (cause instanceof SSLException ssl) {
            return tls(address, ssl);
        } else if (cause instanceof ClosedChannelException) {
            return lost(address + " closed the connection before it answered");
        } else if (cause instanceof IOException) {
            return lost("no connection to " + address + ": " + cause.getMessage());
        }
        return new PtcpException(PtcpErrorCode.INTERNAL, "no connection to " + address + ": " + cause);
    }

    /** The dialler's timeout. */
    static PtcpException timeout(String address) {
        return new PtcpException(
                PtcpErrorCode.TIMEOUT,
                address + " did not answer in time: check the address, and whether a firewall is between");
    }

    /** The answer of an acceptor to a peer that broke the protocol before its session opened. */
    static PtcpException ofAcceptor(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof TlsRequiredException) {
            return new PtcpException(PtcpErrorCode.TLS, "this port speaks TLS only: connect with TLS keys");
        } else if (cause instanceof MalformedFrameException malformed
                && firstByte(malformed) == TlsRequiredCheck.HANDSHAKE_RECORD) {
            return new PtcpException(PtcpErrorCode.TLS, "this port does not speak TLS: connect without TLS keys");
        }
        return new PtcpException(codeOf(cause), text(cause));
    }

    /** Whether a peer that did this can read an answer in clear text. */
    static boolean isAnswerable(Throwable failure) {
        Throwable cause = unwrap(failure);
        return cause instanceof TlsRequiredException || cause instanceof MalformedFrameException;
    }

    private static PtcpException tls(String address, SSLException cause) {
        if (cause instanceof NotSslRecordException) {
            return tls(address + " does not speak TLS: start it with TLS keys, or connect without");
        } else if (cause instanceof SslClosedEngineException || text(cause).contains("closed")) {
            return tls(
                    address + " closed the connection in the TLS handshake: does it accept this side's certificate?");
        }
        String text = tlsText(cause);
        String lower = text.toLowerCase(Locale.ROOT);
        if (text.contains(ALERT)) {
            boolean certificate = lower.contains("certificate") || lower.contains("unknown_ca");
            return tls(address
                    + (certificate ? " does not accept this side's certificate (" : " ended the TLS handshake (")
                    + text + "): are both from the same CA?");
        }
        for (Throwable reason = cause; reason != null; reason = reason.getCause()) {
            if (reason instanceof CertificateException || lower.contains("path")) {
                return tls("the certificate of " + address + " is not accepted (" + text
                        + "): is it from the CA that this side trusts, and for this host?");
            }
        }
        return tls("TLS with " + address + " failed: " + text);
    }

    /** BoringSSL's own words are "error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE"; people get the JDK's. */
    private static String tlsText(SSLException cause) {
        String text = text(cause);
        if (!text.startsWith(NATIVE_ERROR)) {
            return text;
        }
        int alert = text.lastIndexOf(NATIVE_ALERT);
        if (alert >= 0) {
            return ALERT + text.substring(alert + NATIVE_ALERT.length()).toLowerCase(Locale.ROOT);
        }
        Throwable reason = cause.getCause();
        return reason == null ? text.substring(text.lastIndexOf(':') + 1) : text(reason);
    }

    private static PtcpException tls(String message) {
        return new PtcpException(PtcpErrorCode.TLS, message);
    }

    private static PtcpException lost(String message) {
        return new PtcpException(PtcpErrorCode.CONNECTION_LOST, message);
    }

    private static PtcpException wrongProtocol(String address, MalformedFrameException cause) {
        ByteString first = cause.firstBytes();
        if (first == null) {
            return new PtcpException(PtcpErrorCode.PROTOCOL, address + " speaks PTCP badly: " + cause.getMessage());
        }
        if (firstByte(cause) == TLS_ALERT_RECORD) {
            return tls(address + " speaks TLS only: connect with TLS keys");
        }
        String shown = new String(first.toArray(), StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
        return new PtcpException(
                PtcpErrorCode.PROTOCOL,
                address + " does not speak PTCP (it said \"" + shown + "\"): is the port right?");
    }

    private static int firstByte(MalformedFrameException cause) {
        ByteString first = cause.firstBytes();
        return first == null ? -1 : first.toArray()[0] & 0xff;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        @Nullable Throwable inner = cause.getCause();
        while (inner != null && (cause instanceof DecoderException || cause.getClass() == RuntimeException.class)) {
            cause = inner;
            inner = cause.getCause();
        }
        return cause;
    }

    private static String text(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
