package io.hawser.core.remote;

import io.hawser.core.model.CodedEnum;

/** Whether a consumer answers remote calls about the files of its topic. */
public enum ServingMode implements CodedEnum {
    /** It has no files, such as an application. */
    NONE(0),
    /** It answers remote calls. */
    SERVES(1),
    /** It has files and is configured to serve none. */
    CLOSED(2);

    private final int code;

    ServingMode(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The one with that number; {@link IllegalArgumentException} if there is none. */
    public static ServingMode of(int code) {
        return CodedEnum.of(values(), code, "kind of serving");
    }
}
