package io.hawser.ptcp.netty;

import io.hawser.ptcp.wire.MalformedFrameException;
import io.hawser.ptcp.wire.PacketCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packets of a data channel, each payload straight into the memory that the {@link PacketSink} returns.
 *
 * <pre>
 *   PREAMBLE ──► (REST) ──► ASK ──► PAYLOAD ──► PREAMBLE …
 *       └──────► ENDED       │ no memory: pause, and ask the sink again
 *                            └ no payload: the packet is complete
 * </pre>
 *
 * <p>Thread: the channel's loop only.
 */
public final class PacketReader implements ReadTarget {
    private enum Step {
        PREAMBLE,
        REST,
        ASK,
        PAYLOAD,
        ENDED
    }

    private final ByteBufAllocator allocator;
    private final PacketSink sink;
    private final ByteBuf preamble;
    private final ByteBuf inlineHeader;
    private @Nullable ByteBuf longHeader;
    private @Nullable ByteBuf payload;
    private int headerLength;
    private int payloadLength;
    private Step step = Step.PREAMBLE;
    private boolean released;

    /** Creates a reader at the beginning of a packet. */
    public PacketReader(ByteBufAllocator allocator, PacketSink sink) {
        this.allocator = allocator;
        this.sink = sink;
        preamble = allocator.directBuffer(PacketCodec.PREAMBLE_BYTES, PacketCodec.PREAMBLE_BYTES);
        inlineHeader = preamble.slice(PacketCodec.INLINE_OFFSET, PacketCodec.INLINE_HEADER_BYTES);
    }

    @Override
    public @Nullable ByteBuf next() throws MalformedFrameException {
        if (step == Step.ASK) {
            ask();
        }
        return switch (step) {
            case PREAMBLE, ENDED -> preamble;
            case REST -> longHeader;
            case ASK -> null;
            case PAYLOAD -> payload;
        };
    }

    private void ask() {
        ByteBuf memory = sink.memoryFor(header(), payloadLength);
        if (memory == null) {
            return;
        }
        if (memory.writableBytes() != payloadLength) {
            int writable = memory.writableBytes();
            memory.release();
            throw new IllegalStateException(
                    "memory of " + writable + " bytes was given for a payload of " + payloadLength);
        }
        payload = memory;
        step = Step.PAYLOAD;
        if (payloadLength == 0) {
            complete(memory);
        }
    }

    @Override
    public void onFull(ByteBuf memory) throws MalformedFrameException {
        switch (step) {
            case PREAMBLE -> onPreamble();
            case REST -> {
                PacketCodec.checkRest(memory, headerLength);
                step = Step.ASK;
            }
            case PAYLOAD -> complete(memory);
            case ENDED -> throw new MalformedFrameException("a data channel carries bytes after its end");
            case ASK -> throw new IllegalStateException("bytes arrived while none were wanted");
        }
    }

    private void onPreamble() throws MalformedFrameException {
        PacketCodec.Preamble decoded = PacketCodec.decode(preamble);
        headerLength = decoded.headerLength();
        payloadLength = decoded.payloadLength();
        if (decoded.isEnd()) {
            preamble.clear();
            step = Step.ENDED;
            sink.onEnd();
        } else if (decoded.restLength() > 0) {
            ByteBuf whole = allocator.directBuffer(headerLength + PacketCodec.REST_CRC_BYTES);
            longHeader = whole.writeBytes(preamble, PacketCodec.INLINE_OFFSET, PacketCodec.INLINE_HEADER_BYTES);
            step = Step.REST;
        } else {
            step = Step.ASK;
        }
    }

    private ByteBuf header() {
        ByteBuf whole = longHeader == null ? inlineHeader : longHeader;
        return whole.setIndex(0, headerLength);
    }

    private void complete(ByteBuf memory) {
        payload = null;
        try {
            sink.onPacket(header(), memory);
        } finally {
            memory.release();
            nextPacket();
        }
    }

    private void nextPacket() {
        if (longHeader != null) {
            longHeader.release();
            longHeader = null;
        }
        preamble.clear();
        step = Step.PREAMBLE;
    }

    @Override
    public void release() {
        if (released) {
            return;
        }
        released = true;
        preamble.release();
        if (longHeader != null) {
            longHeader.release();
            longHeader = null;
        }
        if (payload != null) {
            payload.release();
            payload = null;
        }
    }
}
