package io.gpureclaimer.verification.scenario.harness;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test a {@link TestCluster}, writes down what a failed one saw, and tidies up. */
final class ClusterExtension implements ParameterResolver, AfterTestExecutionCallback {
  private static final Namespace OURS = Namespace.create(ClusterExtension.class);
  private static final Path TRACES = Path.of("target/scenarios");

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      String test =
          context.getRequiredTestClass().getSimpleName()
              + '.'
              + context.getRequiredTestMethod().getName();
      new Traces(cluster(context)).write(TRACES.resolve(test));
    }
  }

  /** One for each test; the store closes it when the test is over. */
  private static TestCluster cluster(ExtensionContext context) {
    return context
        .getStore(OURS)
        .computeIfAbsent(TestCluster.class, _ -> new TestCluster(), TestCluster.class);
  }
}
