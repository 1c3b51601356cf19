package io.hawser.ptcp;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/**
 * Converts the failure of a connect to the exceptions of {@link java.net.Socket} with the words that programs look for. Their cause is the {@link PtcpException} with the code.
 *
 * <p>Thread: any.
 */
final class ConnectExceptionTranslator {
    private ConnectExceptionTranslator() {}

    static IOException of(Throwable failure, InetSocketAddress target) {
        if (!(failure instanceof PtcpException cause)) {
            return failure instanceof IOException known ? known : new IOException(failure);
        }
        IOException named = named(cause, ChannelDialler.text(target));
        named.initCause(cause);
        return named;
    }

    private static IOException named(PtcpException failure, String target) {
        String sentence = String.valueOf(failure.getMessage());
        Throwable system = failure.getCause();
        return switch (failure.code()) {
            case TIMEOUT -> new SocketTimeoutException("Connect timed out: " + sentence);
            case GREETING_REFUSED, TOO_MANY -> new ConnectException("Connection refused: " + sentence);
            case CONNECTION_LOST -> ofSystem(system == null ? failure : system, sentence, target);
            default -> new ConnectException(sentence);
        };
    }

    private static SocketException ofSystem(Throwable system, String sentence, String target) {
        String text = String.valueOf(system.getMessage());
        if (system instanceof NoRouteToHostException) {
            return new NoRouteToHostException("No route to host: " + target);
        } else if (system instanceof BindException) {
            return new BindException(BindFailures.problem(system));
        } else if (text.contains("refused")) {
            return new ConnectException("Connection refused: no program listens at " + target);
        }
        return new ConnectException(sentence);
    }
}
