package io.gpureclaimer.exporter.schedule;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Lines that a logger writes during a test, from level INFO on. */
final class LogLines implements BeforeEachCallback, AfterEachCallback {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  LogLines(String logger) {
    this.logger = (Logger) LoggerFactory.getLogger(logger);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    appender.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(appender);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.detachAppender(appender);
  }

  /** Level and message of each line. */
  List<String> lines() {
    return appender.list.stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }

  void clear() {
    appender.list.clear();
  }
}
