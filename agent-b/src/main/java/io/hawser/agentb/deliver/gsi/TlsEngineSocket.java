package io.hawser.agentb.deliver.gsi;

import io.hawser.agentb.deliver.ForwardingSocket;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * A data connection over TLS by an SSLEngine. GridFTP ends data by closing the connection without close_notify, so that counts as a regular end; the
 * reader knows the size otherwise.
 *
 * <p>Thread: after the handshake one reader and one writer.
 */
final class TlsEngineSocket extends ForwardingSocket {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int BUFFERED_RECORDS = 8;

    private final SSLEngine engine;
    private final InputStream in;
    private final OutputStream out;
    /** Received and not decrypted yet; in read mode. */
    private final ByteBuffer wrapped;
    /** Decrypted and not taken yet; in read mode. */
    private ByteBuffer clear;

    private final ByteBuffer outgoing;

    TlsEngineSocket(Socket socket, SSLEngine engine) throws IOException {
        super(socket);
        this.engine = engine;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        int record = engine.getSession().getPacketBufferSize();
        this.wrapped = ByteBuffer.allocate(BUFFERED_RECORDS * record).flip();
        this.outgoing = ByteBuffer.allocate(BUFFERED_RECORDS * record);
        this.clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize() + 1024)
                .flip();
    }

    void handshake() throws IOException {
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> {
                    wrap(NOTHING);
                    send();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap()) {
                        throw new EOFException("the far server closed a data connection during its handshake");
                    }
                }
                default -> {
                    return;
                }
            }
        }
    }

    private void wrap(ByteBuffer from) throws IOException {
        SSLEngineResult result = engine.wrap(from, outgoing);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            send();
            result = engine.wrap(from, outgoing);
        }
        if (result.getStatus() != Status.OK) {
            throw new IOException("TLS of a data connection ended: " + result.getStatus());
        }
    }

    private void send() throws IOException {
        out.write(outgoing.array(), 0, outgoing.position());
        outgoing.clear();
    }

    /** Decrypts one record, after reading it if necessary. Returns false at the end. */
    private boolean unwrap() throws IOException {
        while (true) {
            clear.compact();
            SSLEngineResult result = engine.unwrap(wrapped, clear);
            clear.flip();
            switch (result.getStatus()) {
                case OK -> {
                    runTasks(result.getHandshakeStatus());
                    return true;
                }
                case BUFFER_OVERFLOW ->
                    clear = ByteBuffer.allocate(2 * clear.capacity()).put(clear).flip();
                case CLOSED -> {
                    return false;
                }
                case BUFFER_UNDERFLOW -> {
                    if (!fill()) {
                        return false;
                    }
                }
            }
        }
    }

    private void runTasks(HandshakeStatus status) {
        if (status == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
        }
    }

    private boolean fill() throws IOException {
        wrapped.compact();
        int count = in.read(wrapped.array(), wrapped.position(), wrapped.remaining());
        wrapped.position(wrapped.position() + Math.max(0, count));
        wrapped.flip();
        return count >= 0;
    }

    @Override
    public InputStream getInputStream() {
        return new Reader();
    }

    @Override
    public OutputStream getOutputStream() {
        return new Writer();
    }

    private final class Reader extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            while (!clear.hasRemaining()) {
                if (!unwrap()) {
                    return -1;
                }
            }
            int count = Math.min(length, clear.remaining());
            clear.get(into, offset, count);
            return count;
        }

        @Override
        public void close() throws IOException {
            TlsEngineSocket.this.close();
        }
    }

    private final class Writer extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(from, offset, length);
            while (bytes.hasRemaining()) {
                wrap(bytes);
            }
            send();
        }

        @Override
        public void close() throws IOException {
            TlsEngineSocket.this.close();
        }
    }
}
