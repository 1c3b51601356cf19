package io.hawser.ptcp.wire;

/** The numbers of the control frames. */
enum FrameType {
    HELLO(1),
    WELCOME(2),
    REFUSED(3),
    JOIN(4),
    JOINED(5),
    READY(6),
    MESSAGE(7),
    PING(8),
    PONG(9),
    LOST(10),
    CLOSE(11),
    CLOSED(12),
    STREAMS(13);

    private static final FrameType[] BY_NUMBER = new FrameType[14];

    static {
        for (FrameType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    private final int number;

    FrameType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static FrameType of(int number) throws MalformedFrameException {
        if (number < 1 || number >= BY_NUMBER.length) {
            throw new MalformedFrameException("frame type " + number + " is not known");
        }
        return BY_NUMBER[number];
    }
}
