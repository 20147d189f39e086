package io.gpureclaimer.exporter.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import io.gpureclaimer.common.json.JsonWriter;

/**
 * One JSON object for each log line, with the keys of Go's {@code slog}, in which dcgm-exporter
 * logs: {@code time}, {@code level} and {@code msg}.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    var json =
        JsonWriter.compact()
            .beginObject()
            .member("time", event.getInstant().toString())
            .member("level", event.getLevel().toString())
            .member("msg", event.getFormattedMessage())
            .member("logger", event.getLoggerName());
    if (event.getThrowableProxy() != null) {
      json.member("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return (json.endObject() + "\n").getBytes(UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
