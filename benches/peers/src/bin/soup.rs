//! temp
use std::sync::Arc;
use glam::Vec3;
use peers::{agreement, recast::{Level, fill_memory}};
use walkable::{bake::*, mesh::TriMesh, monitor::Unmonitored};
struct Rng(u64);
impl Rng { fn next(&mut self)->u64{ self.0^=self.0<<13; self.0^=self.0>>7; self.0^=self.0<<17; self.0 } fn below(&mut self,n:u64)->u64{(self.next()>>11)%n} }
fn area(c:&[[i64;2]])->i64{ let n=c.iter().cycle().skip(1); c.iter().zip(n).map(|([x,z],[a,b])| z*a-x*b).sum() }
fn main(){
  fill_memory();
  let mut n_bad=0; let mut n_differ=0; let mut n_selfcross=0;
  for seed in 1..400_000u64 {
    let mut r=Rng(seed.wrapping_mul(0x9E3779B97F4A7C15)|1); for _ in 0..5{r.next();}
    let n=3+r.below(8);
    let mut v=Vec::new();
    for _ in 0..n { let mut c=||Vec3::new(r.below(49) as f32,r.below(25) as f32,r.below(49) as f32)*0.25; let (a,mut b,mut d)=(c(),c(),c()); if r.below(2)==0{b.y=a.y;d.y=a.y;} v.extend([a,b,d]); }
    let idx=(0..n as u32).map(|i|[3*i,3*i+1,3*i+2]).collect();
    let mesh=TriMesh::new(v,idx).unwrap();
    if mesh.bounds().size().x<=1.0||mesh.bounds().size().z<=1.0{continue;}
    let settings=BakeSettings{agent_radius:0.3,region_min_size:3.0,edge_max_error:2.0,verts_per_poly:5,tile_size:16,detail_sample_dist:0.0,..BakeSettings::default()};
    let Ok(plan)=BakePlan::new(BakeInput::new(Arc::new(mesh),settings)) else {continue};
    for tile in plan.tiles() {
      let b=bake_tile(&plan,tile,Keep::Stages,&Unmonitored).unwrap();
      if !b.warnings.is_empty(){continue;}
      let s=b.stages.as_ref().unwrap();
      let bad=s.polygons.polygons.iter().any(|p|{ let c:Vec<[i64;2]>=p.vertices.iter().map(|&v|{let [x,_,z]=s.polygons.vertices[usize::from(v)].map(i64::from);[x,z]}).collect(); area(&c)<0 || (0..c.len()).any(|i| area(&[c[i],c[(i+1)%c.len()],c[(i+2)%c.len()]])<0)});
      if bad {
        n_bad+=1;
        let level=Level::new(&plan);
        let cmp=agreement::compare(&plan,&level,&level.tile(&plan,tile),tile).unwrap();
        if cmp.differs_in.is_some(){n_differ+=1;}
        let cross=s.contours.contours.iter().any(|c|{ let p:Vec<[i64;2]>=c.vertices.iter().map(|v|[i64::from(v.x),i64::from(v.z)]).collect(); let m=p.len(); (0..m).any(|i|(0..m).any(|j|{ if i==j||(i+1)%m==j||(j+1)%m==i {return false} let (a,b,c,d)=(p[i],p[(i+1)%m],p[j],p[(j+1)%m]); area(&[a,b,c]).signum()*area(&[a,b,d]).signum()<0 && area(&[c,d,a]).signum()*area(&[c,d,b]).signum()<0 }))});
        if cross{n_selfcross+=1;}
        println!("seed {seed} tile {tile}: differs {:?}, crosses itself {cross}",cmp.differs_in);
        for c in &s.contours.contours { println!("   {:?}", c.vertices.iter().map(|v|(v.x,v.z)).collect::<Vec<_>>()); }
      }
    }
    if n_bad>=20{break;}
    if seed%20000==0{eprintln!("{seed} {n_bad}");}
  }
  println!("bad {n_bad} differ {n_differ} crossing {n_selfcross}");
}
