package roadtest
import ("testing";"os";"fmt";"sortkey.dev/design";"sortkey.dev/design/internal/diag")
func TestDump(t *testing.T){
 codes:=map[string]int{}; ok:=0; n:=300
 for s:=range n { text:=Design(uint64(s)); d:=design.Parse("x.design.yaml",text)
  f,err:=design.Check([]*design.Design{d},design.CheckOptions{}); if err!=nil{t.Fatal(err)}
  bad,_:=f.Failed("error"); if !bad {ok++}
  seen:=map[string]bool{}
  for _,x:=range f.Findings.Findings { if x.Severity==diag.Error { k:=string(x.Code); if x.Code[0]=='F' {k+=" "+x.Message}; if !seen[k] {seen[k]=true; codes[k]++}}}
  os.WriteFile(fmt.Sprintf("/tmp/road/%d.yaml",s),text,0o644)
 }
 fmt.Println("ok",ok,"of",n); for k,v:=range codes{ if v>1 || k[0]=='F' {fmt.Println(v,k)}}
}
