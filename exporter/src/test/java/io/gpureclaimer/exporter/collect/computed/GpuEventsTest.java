package io.gpureclaimer.exporter.collect.computed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.health.XidLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log")
class GpuEventsTest {
  private static final GpuUuid GPU = new GpuUuid("GPU-00000000-0000-0000-0000-000000000000");
  private static final String REFUSED =
      "not subscribed to events of GPU "
          + GPU
          + ", so its XIDs are not reported: no permission; trying again";

  private final Logger log = (Logger) LoggerFactory.getLogger(GpuEvents.class);
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private final GpuEvents events =
      new GpuEvents(new XidLog(Duration.ofMinutes(5)), () -> Instant.EPOCH);

  @BeforeEach
  void readTheLog() {
    said.start();
    log.setLevel(Level.INFO);
    log.setAdditive(false);
    log.addAppender(said);
  }

  @AfterEach
  void leaveTheLog() {
    log.detachAppender(said);
    log.setAdditive(true);
    log.setLevel(null);
  }

  @Test
  void saysOnce_thatADriverLetsUsBeginAndThenReportsNothing() {
    for (int attempt = 0; attempt < 3; attempt++) {
      events.begins(GPU);
      events.ends(GPU);
      events.refused(GPU, "no permission");
    }

    assertThat(lines()).containsExactly(REFUSED);
    assertThat(events.whyUnheard(GPU)).contains("no permission");
  }

  @Test
  void saysSo_whenTheGpuIsHeardAtLast() {
    events.refused(GPU, "no permission");
    events.begins(GPU);
    events.isHeard(GPU);

    assertThat(lines()).containsExactly(REFUSED, "subscribed to events of GPU " + GPU);
    assertThat(events.whyUnheard(GPU)).isEmpty();
  }

  @Test
  void saysNothing_whereNothingWasRefused() {
    events.begins(GPU);
    events.isHeard(GPU);

    assertThat(lines()).isEmpty();
  }

  private List<String> lines() {
    return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
