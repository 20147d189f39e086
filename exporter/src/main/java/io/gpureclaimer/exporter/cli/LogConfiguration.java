package io.gpureclaimer.exporter.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sends log lines to standard error, as text or JSON. In code rather than XML, which would cost the
 * start a tenth of a second; logback's own {@code logback.configurationFile} still goes before it.
 */
public final class LogConfiguration extends ContextAwareBase implements Configurator {
  /** System property that names the format; without it we are not the program, and keep quiet. */
  public static final String FORMAT = "gpu-exporter.log-format";

  /** System property that is {@code true} when more of our own is to be logged. */
  public static final String DEBUG = "gpu-exporter.log-debug";

  /** Bypasses logback; the failure itself has all that its log knows. */
  private static final java.util.logging.Logger GRPC =
      java.util.logging.Logger.getLogger("io.grpc");

  /** For logback, which finds this class by its name. */
  public LogConfiguration() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    String format = System.getProperty(FORMAT);
    if (format == null || System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder("json".equals(format) ? json(context) : text(context));
    appender.start();
    var root = context.getLogger("ROOT");
    root.setLevel(Level.INFO);
    root.addAppender(appender);
    if (Boolean.getBoolean(DEBUG)) {
      context.getLogger("io.gpureclaimer").setLevel(Level.DEBUG);
    }
    // We say ourselves, in one line, that an address cannot be listened on.
    context.getLogger("io.micronaut.http.server.netty.NettyHttpServer").setLevel(Level.OFF);
    // gRPC asks for TCP's keep-alive on every socket, and Netty warns that a unix socket has none.
    context.getLogger("io.netty.bootstrap").setLevel(Level.ERROR);
    // A client learns of its failed handshake; the bytes that came may contain a password.
    context
        .getLogger("io.netty.handler.ssl.ApplicationProtocolNegotiationHandler")
        .setLevel(Level.OFF);
    // The API server's client logs every retry with its stack; we log once what it means.
    context.getLogger("io.fabric8.kubernetes.client").setLevel(Level.ERROR);
    GRPC.setLevel(java.util.logging.Level.OFF);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %logger{0} - %msg%n");
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    var encoder = new JsonLogEncoder();
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }
}
