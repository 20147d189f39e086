package io.gpureclaimer.reclaimer.http;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** Style and scripts of the pages, from the class path. */
@Controller("/ui/static")
final class PageFilesController {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";

  private final Map<String, byte[]> contents = new HashMap<>();

  PageFilesController() {
    add("page.css", "/page/page.css");
    add("page.js", "/page/page.js");
    add("htmx.min.js", "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js");
  }

  @Get("/{name}")
  HttpResponse<byte[]> file(String name) {
    byte[] content = contents.get(name);
    return content == null
        ? HttpResponse.notFound()
        : HttpResponse.ok(content)
            .header("Content-Type", name.endsWith(".css") ? STYLE : SCRIPT)
            .header("Cache-Control", "max-age=3600");
  }

  private void add(String name, String resource) {
    try (InputStream in = PageFilesController.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no " + resource);
      }
      contents.put(name, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
