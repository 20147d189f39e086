package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.program.Service;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How the agent ends. */
class AgentShutdownIT {

  /** One for each time that the job was made. */
  record CreatedJob(Semaphore times) {}

  /**
   * Ticks often, and ends slowly, so that a tick would fall into its end; before its thread, since
   * it was given that.
   */
  @Context
  @Order(10)
  @Requires(property = "test.ticks")
  static class Ticks {
    private final CreatedJob made;

    Ticks(CreatedJob made, @Named(TaskExecutors.SCHEDULED) ExecutorService thread) {
      this.made = made;
      made.times().release();
      assertThat(thread.isShutdown()).isFalse();
    }

    @Scheduled(fixedDelay = "1ms")
    void tick() {}

    @PreDestroy
    void end() throws InterruptedException {
      if (made.times().tryAcquire(2, 500, TimeUnit.MILLISECONDS)) {
        made.times().release(2);
      }
    }
  }

  @Test
  void noJobBeginsAgain_whenTheAgentEnds() {
    var made = new CreatedJob(new Semaphore(0));
    Map<String, Object> properties =
        Map.of(
            "micronaut.server.host", "127.0.0.1",
            "micronaut.server.port", 0,
            "simulation.profile", "t4x4",
            "test.ticks", "true");

    assertThat(Service.start("gpu-exporter", properties, made))
        .isInstanceOfSatisfying(Service.Running.class, Service.Running::close);

    assertThat(made.times().availablePermits()).isEqualTo(1);
  }
}
